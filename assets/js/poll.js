/* Asks again and again; where nobody answers, with growing patience. Ends when `turn` says false; null is a failure. */

const MOST = 8; // seconds

export async function poll(turn) {
  for (let misses = 0; ;) {
    const went = await turn();
    if (went === false) return;
    misses = went === null ? misses + 1 : 0;
    const pause = misses ? Math.min(MOST, 0.5 * 2 ** misses) * (0.75 + Math.random() / 2) : 0.1; // a class does not come back all at once
    await new Promise((on) => { setTimeout(on, 1000 * pause); });
  }
}
