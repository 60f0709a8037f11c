// A worker without a library, for Node 18 or newer: node worker.mjs http://localhost:7300 greetings [API key]
const [server, queue, key] = process.argv.slice(2);
const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };

// The activity. What it calls should get task.idempotencyKey.
const greet = async (task) => `Hello, ${task.input.name}, from JavaScript!`;

// Until it is answered: a report that comes again gets the same answer.
async function post(path, body) {
  for (;;) {
    const answer = await fetch(`${server}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
      .catch((failure) => console.error(failure.message));
    if (answer?.ok) return (await answer.json()).tasks;
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(await answer.text()); // Our own mistake.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function work(task) {
  const { token } = task;
  const beat = setInterval(() => post("/tasks/heartbeat", { tasks: [{ token }] }), task.heartbeatTimeoutMs / 3);
  const [path, said] = await greet(task).then(
    (result) => ["/tasks/complete", { result }],
    (failure) => ["/tasks/fail", { type: failure.name, message: failure.message }]);
  clearInterval(beat);
  await post(path, { tasks: [{ token, ...said }] });
}

for (;;) {
  const poll = { worker: `javascript-${process.pid}`, max: 10, waitSeconds: 30 };
  (await post(`/queues/${queue}/tasks/take`, poll)).forEach(work);
}
