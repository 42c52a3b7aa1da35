/* Call `attempt` again and again until it returns false. After a failure (null) the pauses grow; it tries
   again at once when the connection is restored or the page becomes visible. */

const MAX_PAUSE_SECONDS = 1.5;

export async function poll(attempt) {
  for (let failures = 0; ;) {
    const result = await attempt();
    if (result === false) return;
    failures = result === null ? failures + 1 : 0;
    // random pauses, so that the browsers of a class do not reconnect at the same time
    const jitter = 0.75 + Math.random() / 2;
    await pause(failures ? Math.min(MAX_PAUSE_SECONDS, 0.25 * 2 ** failures) * jitter : 0.1);
  }
}

function pause(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000 * seconds);
    addEventListener("online", resolve, { once: true });
  });
}
