// The id of a tap: the table knows by it a tap that is sent again.

/** 128 random bits; plain http has no randomUUID. */
export const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
