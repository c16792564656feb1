// What this device remembers between two loads; where storage is full or forbidden it simply forgets.

export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is lost but the memory of it after a reload.
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was never remembered.
  }
}

/** Every key that begins with `prefix`. */
export function remembered(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
