package dev.tenure.node.command.remote;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Prints a list while it is read, however long it is. */
abstract class ListingCommand extends RemoteCommand {
  /** Rows of a table between two headings. */
  private static final int TABLE_ROWS = 200;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most; 0 is all (default: ${DEFAULT-VALUE}).")
  private long limit;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the ids of the workflows, a line each, for another command's \"-\".")
  private boolean quiet;

  final boolean isQuiet() {
    return quiet;
  }

  final <T> void print(
      Stream<T> all,
      List<String> heads,
      Function<T, String> id,
      Function<T, String> document,
      Function<T, List<String>> row) {
    if (limit < 0) throw new CommandError("--limit counts from 0");
    List<List<String>> rows = new ArrayList<>();
    Iterator<T> found = all.iterator();
    for (long i = 0; found.hasNext(); i++) {
      if (limit > 0 && i == limit) {
        flush(heads, rows);
        complain("there are more; raise --limit, or give 0 for all of them");
        return;
      }
      T one = found.next();
      if (quiet) output.line(Ids.line(id.apply(one)));
      else if (output.isJson()) output.line(document.apply(one));
      else rows.add(row.apply(one));
      if (rows.size() == TABLE_ROWS) flush(heads, rows);
    }
    flush(heads, rows);
  }

  private void flush(List<String> heads, List<List<String>> rows) {
    if (!rows.isEmpty()) output.table(heads, rows);
    rows.clear();
  }
}
