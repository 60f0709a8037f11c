package dev.tenure.bench.http;

import dev.tenure.bench.http.load.Plan;
import dev.tenure.bench.http.load.Sent;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.workflow.Payload;
import java.util.LinkedHashMap;
import java.util.Map;

/** The same signal again and again, as senders that heard no answer would. */
record Duplicates(BenchServer server, Engine engine, LoadProcess load) {
  private static final String ID = "duplicates";

  Map<String, Object> measure(int times) {
    engine.clear();
    Engine.within(engine.start(ID, "signals", Payload.NONE));
    // Of a name that its code does not wait for: it stays in the inbox, where one can count.
    Plan same =
        Plan.of(
            "/api/v1/workflows/" + ID + "/signal/unread",
            "{\"payload\":\"go\",\"signalId\":\"one\"}",
            200);
    Engine.within(load.run(same.times(1)));
    Measured.sleep(1);
    long commits = engine.commits();
    long transactions = engine.transactions();
    Sent sent = Engine.within(load.run(same.times(times)));
    Measured.sleep(1);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("duplicates", sent.answers(200));
    figures.put("duplicates_per_s", sent.answers(200) / sent.seconds());
    figures.put("journal_commits", engine.commits() - commits);
    figures.put("commit_transactions", engine.transactions() - transactions);
    figures.put(
        "inbox_entries", server.number(Engine.DATABASE, "SELECT count(*) FROM signal_inbox"));
    Engine.within(engine.signal(ID, "signal", Engine.json("go")));
    Engine.within(engine.completion(ID));
    return figures;
  }
}
