// A worker without a library, for Node 18 or newer: node worker.mjs http://localhost:7300 greetings [API key]
const [server, queue, key] = process.argv.slice(2);
const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };
const log = (failure) => console.error(failure.message);

// The activity. What it calls should get task.idempotencyKey.
const greet = async (task) => `Hello, ${task.input.name}, from JavaScript!`;

// Until it is answered: a report that comes again gets the same answer.
async function post(path, body) {
  for (;;) {
    const answer = await fetch(`${server}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) }).catch(log);
    if (answer && !answer.ok && answer.status < 500 && answer.status !== 429) // Our own mistake.
      throw Object.assign(new Error(await answer.text()), { status: answer.status });
    const said = answer?.ok && (await answer.json().catch(log));
    if (said) return said.tasks;
    await new Promise((resolve) => setTimeout(resolve, 1000 * (answer?.headers.get("retry-after") ?? 1)));
  }
}

// Whether this worker has the task.
async function report(path, task, more) {
  const [answer] = await post(path, { tasks: [{ token: task.token, ...more }] });
  if (!answer.accepted) console.error(answer.error.detail);
  return answer.accepted;
}

async function work(task) {
  let lost = false; // Another worker may have it then: greet should stop, and its result is dropped.
  const beat = setInterval(async () => {
    lost = (await report("/tasks/heartbeat", task, {}).catch(log)) === false;
    if (lost) clearInterval(beat);
  }, task.heartbeatTimeoutMs / 3);
  const [path, said] = await greet(task).then(
    (result) => ["/tasks/complete", { result }],
    (failure) => ["/tasks/fail", { type: failure.name, message: failure.message }]);
  clearInterval(beat);
  if (!lost) await report(path, task, said).catch((refusal) => {
    if (refusal.status !== 413) throw refusal;
    const message = `The server does not take the result: ${refusal.message}`;
    return report("/tasks/fail", task, { type: "ResultRefused", message, retryable: false });
  });
}

for (;;) {
  const poll = { worker: `javascript-${process.pid}`, max: 10, waitSeconds: 30 };
  for (const task of await post(`/queues/${queue}/tasks/take`, poll)) work(task).catch(log);
}
