package dev.tenure.persistence.postgres;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of a migration, without comments, in lower case, and what they break. */
final class MigrationScript {
  private static final String NAME = "(?:only )?\"?([\\w.]+)\"?";
  private static final Pattern CREATED =
      Pattern.compile("create (?:unlogged )?table (?:if not exists )?" + NAME + ".*");
  private static final Pattern INDEX =
      Pattern.compile(
          "create (?:unique )?index (concurrently )?(?:if not exists )?(.*?)\\bon " + NAME + ".*");
  private static final Pattern DROPPED =
      Pattern.compile("drop index (concurrently )?(?:if exists )?" + NAME + ".*");
  private static final Pattern ALTERED =
      Pattern.compile("alter table (?:if exists )?" + NAME + " (.*)");
  private static final Pattern TRIGGER =
      Pattern.compile("create (?:or replace )?(?:constraint )?trigger .*? on " + NAME + ".*");
  private static final Pattern REWRITTEN =
      Pattern.compile("(?:update|delete from) " + NAME + "\\b.*");

  private final List<String> statements;
  private final Set<String> created = new HashSet<>();

  private MigrationScript(List<String> statements) {
    this.statements = statements;
    for (String statement : statements) {
      Matcher table = CREATED.matcher(statement);
      if (table.matches()) created.add(table.group(1));
    }
  }

  static MigrationScript of(String sql) {
    return new MigrationScript(split(sql));
  }

  List<String> statements() {
    return statements;
  }

  /** Splits where a semicolon stands outside of quotes, bodies and comments. */
  private static List<String> split(String sql) {
    Matcher token =
        Pattern.compile(
                "--[^\\n]*|/\\*.*?\\*/|'(?:[^']|'')*'|\"[^\"]*\"|(\\$\\w*\\$).*?\\1|;|.",
                Pattern.DOTALL)
            .matcher(sql);
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    while (token.find()) {
      String text = token.group();
      if (text.equals(";")) {
        add(statements, statement);
      } else if (text.startsWith("--") || text.startsWith("/*")) {
        statement.append(' ');
      } else {
        // What is quoted has no say in what a statement does.
        statement.append(text.startsWith("'") || token.group(1) != null ? "''" : text);
      }
    }
    add(statements, statement);
    return statements;
  }

  private static void add(List<String> statements, StringBuilder statement) {
    String text = statement.toString().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    if (!text.isEmpty()) statements.add(text);
    statement.setLength(0);
  }

  /** Indexes that would be built under a lock which stops all commits to their table. */
  List<String> lockingIndexes() {
    List<String> found = new ArrayList<>();
    for (String statement : statements) {
      Matcher index = INDEX.matcher(statement);
      if (index.matches() && index.group(1) == null && !created.contains(index.group(3)))
        found.add(statement);
    }
    return found;
  }

  /** What a script may not do that runs while nodes commit, one sentence for each statement. */
  List<String> violations() {
    List<String> found = new ArrayList<>();
    for (String statement : lockingIndexes())
      found.add("builds an index without CONCURRENTLY: " + statement);
    Set<String> locked = new HashSet<>();
    int concurrently = 0;
    for (int i = 0; i < statements.size(); i++) {
      String statement = statements.get(i);
      if (statement.contains(" concurrently ")) concurrently++;
      ofIndexes(i, found);
      Matcher altered = ALTERED.matcher(statement);
      if (altered.matches() && !created.contains(altered.group(1))) {
        if (!onlySetsParameters(altered.group(2))) locked.add(altered.group(1));
        ofColumns(statement, altered.group(2), found);
      }
      Matcher trigger = TRIGGER.matcher(statement);
      if (trigger.matches() && !created.contains(trigger.group(1))) locked.add(trigger.group(1));
      Matcher rewritten = REWRITTEN.matcher(statement);
      if (rewritten.matches() && !created.contains(rewritten.group(1)))
        found.add("rewrites rows in one transaction: " + statement);
      if (statement.matches("(vacuum|cluster|truncate|lock|reindex|drop table|refresh)\\b.*"))
        found.add("locks a table for as long as it takes: " + statement);
    }
    if (locked.size() > 1)
      found.add("holds the lock of one table while it waits for that of another: " + locked);
    if (concurrently > 0 && concurrently < statements.size())
      found.add("mixes CONCURRENTLY with what needs a transaction: " + statements);
    return found;
  }

  /** A build that was interrupted leaves an index of that name, which is not valid. */
  private void ofIndexes(int i, List<String> found) {
    String statement = statements.get(i);
    Matcher dropped = DROPPED.matcher(statement);
    if (dropped.matches() && dropped.group(1) == null)
      found.add("drops an index without CONCURRENTLY: " + statement);
    Matcher index = INDEX.matcher(statement);
    if (!index.matches() || index.group(1) == null) return;
    String drop = "drop index concurrently if exists " + index.group(2).strip();
    if (i == 0 || !statements.get(i - 1).equals(drop))
      found.add("does not drop first what a broken build left: " + statement);
  }

  /** Takes a lock beside which commits go on. */
  private static boolean onlySetsParameters(String actions) {
    return actions.matches("(re)?set \\(.*\\)|validate constraint \\w+");
  }

  private static void ofColumns(String statement, String actions, List<String> found) {
    if (actions.matches(".*\\balter (column )?\\w+ (set data )?type\\b.*"))
      found.add("rewrites a table: " + statement);
    if (actions.matches(".*\\bset not null\\b.*"))
      found.add("reads a table under a lock that stops commits: " + statement);
    if (actions.matches(
        ".*\\badd column\\b.*(\\bserial|\\bbigserial|generated|default \\w+ ?\\().*"))
      found.add("rewrites a table for a computed value: " + statement);
    if (actions.matches(".*\\badd column\\b.*\\b(unique|primary key|references)\\b.*"))
      found.add("builds an index, or reads a table, under a lock: " + statement);
    if (actions.matches(".*\\badd (constraint \\w+ )?(unique|primary key)\\b.*")
        && !actions.contains("using index"))
      found.add("builds an index under a lock: " + statement);
    if (actions.matches(".*\\badd (constraint \\w+ )?(check|foreign key)\\b.*")
        && !actions.contains("not valid"))
      found.add("reads a table under a lock that stops commits: " + statement);
    if (actions.matches(".*\\b(drop column|rename|set tablespace|set logged|set unlogged)\\b.*"))
      found.add("takes away what an older engine uses, or rewrites a table: " + statement);
  }
}
