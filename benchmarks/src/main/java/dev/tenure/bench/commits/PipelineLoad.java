package dev.tenure.bench.commits;

import dev.tenure.bench.measure.Meter;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.PipelineSettings;
import org.slf4j.LoggerFactory;

/** Writers that each hand in their next commit when the last one is durable. */
final class PipelineLoad implements Meter.Load {
  private final CommitPipeline pipeline;
  private final Meter meter;
  private volatile boolean stopped;

  PipelineLoad(FencedStore store, Meter meter, int writers, PipelineSettings settings) {
    this.meter = meter;
    pipeline = new CommitPipeline(store.storage(), settings);
    for (int writer = 0; writer < writers; writer++)
      next(store.new Source("pipeline" + writers, writer));
  }

  private void next(FencedStore.Source source) {
    long start = System.nanoTime();
    pipeline
        .submit(source.next())
        .whenComplete(
            (result, failure) -> {
              meter.done(System.nanoTime() - start);
              if (stopped) return;
              if (result instanceof CommitResult.Committed) next(source);
              else {
                LoggerFactory.getLogger(PipelineLoad.class)
                    .error("a writer ends: {}", result, failure);
              }
            });
  }

  @Override
  public long transactions() {
    return pipeline.transactions();
  }

  @Override
  public void stop() {
    stopped = true;
    pipeline.close();
  }
}
