package dev.tenure.persistence.proof;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The Merkle tree of RFC 6962: leaves and nodes are hashed with different first bytes, and the left
 * half is the largest power of two below the number of leaves. Leaves come one by one, so a tree of
 * any size takes the memory of one path.
 */
final class MerkleTree {
  private static final byte LEAF = 0;
  private static final byte NODE = 1;

  private MerkleTree() {}

  static byte[] leaf(byte[] content) {
    MessageDigest digest = sha256();
    digest.update(LEAF);
    return digest.digest(content);
  }

  private static byte[] node(byte[] left, byte[] right) {
    MessageDigest digest = sha256();
    digest.update(NODE);
    digest.update(left);
    return digest.digest(right);
  }

  /** Makes the root while leaves are added. */
  static final class Root {
    /** Full subtrees from left to right, each larger than the next one. */
    private final List<byte[]> subtrees = new ArrayList<>();

    private long leaves;

    void add(byte[] leaf) {
      byte[] right = leaf;
      // As many as a binary counter has to carry.
      for (long carry = leaves++; (carry & 1) == 1; carry >>= 1)
        right = node(subtrees.removeLast(), right);
      subtrees.add(right);
    }

    long leaves() {
      return leaves;
    }

    byte[] root() {
      if (subtrees.isEmpty()) return sha256().digest();
      byte[] root = subtrees.getLast();
      for (int i = subtrees.size() - 2; i >= 0; i--) root = node(subtrees.get(i), root);
      return root;
    }
  }

  /**
   * The hashes that lead from a leaf to the root, the lowest first.
   *
   * @param next gives the leaves from left to right
   */
  static List<byte[]> path(long index, long leaves, Supplier<byte[]> next) {
    if (leaves == 1) {
      next.get();
      return new ArrayList<>();
    }
    long left = leftHalf(leaves);
    List<byte[]> path;
    if (index < left) {
      path = path(index, left, next);
      path.add(root(leaves - left, next));
    } else {
      byte[] sibling = root(left, next);
      path = path(index - left, leaves - left, next);
      path.add(sibling);
    }
    return path;
  }

  private static byte[] root(long leaves, Supplier<byte[]> next) {
    Root root = new Root();
    for (long i = 0; i < leaves; i++) root.add(next.get());
    return root.root();
  }

  /** The root to which that path leads from that leaf. */
  static byte[] root(long index, long leaves, byte[] leaf, List<byte[]> path) {
    if (leaves == 1) {
      if (!path.isEmpty()) throw new ProofError("the path is too long");
      return leaf;
    }
    if (path.isEmpty()) throw new ProofError("the path is too short");
    long left = leftHalf(leaves);
    List<byte[]> below = path.subList(0, path.size() - 1);
    return index < left
        ? node(root(index, left, leaf, below), path.getLast())
        : node(path.getLast(), root(index - left, leaves - left, leaf, below));
  }

  private static long leftHalf(long leaves) {
    return Long.highestOneBit(leaves - 1);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
