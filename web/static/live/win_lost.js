// Whether a correction takes a win back: the table tells it before anything is sent.

const PATIENCE = 2_000; // ms; without an answer the correction is asked about as any other

/** The lane whose win a command would take away; null where none is lost, or the table does not say. */
export async function losesWin(command) {
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) };
  try {
    const answer = await fetch("/api/v1/preview", { ...asked, signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? (await answer.json()).loses_win : null;
  } catch {
    return null;
  }
}
