-- Programs that are documents and not code. A row is written once: whoever stores another document
-- under its name and version is refused. The hash tells a content that was changed from outside.
CREATE TABLE definition (
  name    text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  hash    bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (name, version)
);
