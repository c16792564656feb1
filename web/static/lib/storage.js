// What this device remembers; where storage is full or forbidden it simply forgets.

function tried(act, otherwise = null) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

export const recall = (key) => tried(() => JSON.parse(localStorage.getItem(key)));

export const remember = (key, value) => tried(() => localStorage.setItem(key, JSON.stringify(value)));

export const forget = (key) => tried(() => localStorage.removeItem(key));

/** Every key that begins with `prefix`. */
export const remembered = (prefix) => tried(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix)), []);
