/* Call `attempt` again and again until it returns false. After a failure (null) the pauses grow. */

const MAX_PAUSE_SECONDS = 8;

export async function poll(attempt) {
  for (let failures = 0; ;) {
    const result = await attempt();
    if (result === false) return;
    failures = result === null ? failures + 1 : 0;
    const jitter = 0.75 + Math.random() / 2; // so that a whole class does not come back at once
    const seconds = failures ? Math.min(MAX_PAUSE_SECONDS, 0.5 * 2 ** failures) * jitter : 0.1;
    await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
  }
}
