/* Call `attempt` again and again until it returns false. After a failure (null) the pauses grow; when the connection is back, or the
   page is looked at again, it tries at once. */

const MAX_PAUSE_SECONDS = 1.5;

export async function poll(attempt) {
  for (let failures = 0; ;) {
    const result = await attempt();
    if (result === false) return;
    failures = result === null ? failures + 1 : 0;
    const jitter = 0.75 + Math.random() / 2; // so that a whole class does not come back at once
    await pause(failures ? Math.min(MAX_PAUSE_SECONDS, 0.25 * 2 ** failures) * jitter : 0.1);
  }
}

function pause(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000 * seconds);
    addEventListener("online", resolve, { once: true });
  });
}
