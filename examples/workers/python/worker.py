"""A worker without a library: python3 worker.py http://localhost:7300 greetings [API key]"""
import http.client, json, os, sys, threading, time, urllib.error, urllib.request

server, queue, key = sys.argv[1], sys.argv[2], (sys.argv + [""])[3]
headers = {"Content-Type": "application/json", **({"Authorization": "Bearer " + key} if key else {})}

def greet(task):  # The activity. What it calls should get task["idempotencyKey"].
    return "Hello, %s, from Python!" % task["input"]["name"]

def post(path, body):  # Until it is answered: a report that comes again gets the same answer.
    while True:
        pause = 1
        try:
            request = urllib.request.Request(server + "/api/v1" + path, json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=75) as answer:
                return json.load(answer)["tasks"]
        except (OSError, http.client.HTTPException) as failure:
            if isinstance(failure, urllib.error.HTTPError):
                if failure.code < 500 and failure.code != 429:
                    raise  # A mistake of this worker's.
                pause = int(failure.headers.get("Retry-After", pause))
            print(failure, file=sys.stderr)
            time.sleep(pause)

def report(path, task, more):  # Whether this worker has the task.
    answer = post(path, {"tasks": [{"token": task["token"], **more}]})[0]
    if not answer["accepted"]:
        print(answer["error"]["detail"], file=sys.stderr)
    return answer["accepted"]

def work(task):
    done = threading.Event()
    def beat():
        while not done.wait(task["heartbeatTimeoutMs"] / 3000):
            if not report("/tasks/heartbeat", task, {}):
                return done.set()  # Another worker may have it: greet should stop, and its result is dropped.
    threading.Thread(target=beat, daemon=True).start()
    try:
        path, said = "/tasks/complete", {"result": greet(task)}
    except Exception as failure:
        path, said = "/tasks/fail", {"type": type(failure).__name__, "message": str(failure)}
    if not done.is_set():
        done.set()
        try:
            report(path, task, said)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 413:
                raise
            why = "The server does not take the result: " + refusal.read().decode()
            report("/tasks/fail", task, {"type": "ResultRefused", "message": why, "retryable": False})

while True:
    poll = {"worker": "python-%d" % os.getpid(), "max": 10, "waitSeconds": 30}
    for task in post("/queues/%s/tasks/take" % queue, poll):
        threading.Thread(target=work, args=[task]).start()
