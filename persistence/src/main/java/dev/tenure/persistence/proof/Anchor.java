package dev.tenure.persistence.proof;

import dev.tenure.persistence.entry.ChainLink;

/**
 * A commit of a history that is known from outside of its journal rows: the history has a commit of
 * that version with that link.
 *
 * @param source who says so, for the message
 * @param isEnd whether nothing may stand behind it
 */
public record Anchor(String source, long version, ChainLink link, boolean isEnd) {}
