package dev.tenure.persistence.membership;

/** The nodes that announced themselves, for forming a cluster. */
public interface MemberRows {}
