package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchScheduler;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs for the workflow's code, and is silent while the code is replayed: it has logged the same
 * before.
 */
final class ReplaySilentLogger implements System.Logger {
  private final BranchScheduler scheduler;
  private final Logger log;

  ReplaySilentLogger(BranchScheduler scheduler) {
    this.scheduler = scheduler;
    this.log = LoggerFactory.getLogger(scheduler.program().workflow().workflow());
  }

  @Override
  public String getName() {
    return log.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return switch (level) {
      case OFF -> false;
      case ALL, TRACE -> log.isTraceEnabled() && isLive();
      case DEBUG -> log.isDebugEnabled() && isLive();
      case INFO -> log.isInfoEnabled() && isLive();
      case WARNING -> log.isWarnEnabled() && isLive();
      case ERROR -> log.isErrorEnabled() && isLive();
    };
  }

  private boolean isLive() {
    return !scheduler.isReplaying();
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    if (!isLoggable(level)) return;
    String text = translated(bundle, message);
    switch (level) {
      case OFF -> {}
      case ALL, TRACE -> log.trace(text, thrown);
      case DEBUG -> log.debug(text, thrown);
      case INFO -> log.info(text, thrown);
      case WARNING -> log.warn(text, thrown);
      case ERROR -> log.error(text, thrown);
    }
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    if (!isLoggable(level)) return;
    boolean plain = parameters == null || parameters.length == 0;
    String text = translated(bundle, format);
    log(level, null, plain ? text : MessageFormat.format(text, parameters), (Throwable) null);
  }

  private static String translated(ResourceBundle bundle, String key) {
    return bundle != null && key != null && bundle.containsKey(key) ? bundle.getString(key) : key;
  }
}
