package dev.tenure.persistence.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tree is that of RFC 6962. */
class MerkleTreeTest {
  private static final HexFormat HEX = HexFormat.of();

  /** The leaves and roots of the tests of Certificate Transparency. */
  private static final List<String> LEAVES =
      List.of(
          "",
          "00",
          "10",
          "2021",
          "3031",
          "40414243",
          "5051525354555657",
          "606162636465666768696a6b6c6d6e6f");

  private static final List<String> ROOTS =
      List.of(
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
          "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
          "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
          "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
          "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
          "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
          "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
          "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

  /** Those that are published, and others behind them. */
  private static List<byte[]> leaves(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i < LEAVES.size() ? HEX.parseHex(LEAVES.get(i)) : new byte[i])
        .map(MerkleTree::leaf)
        .toList();
  }

  private static byte[] root(List<byte[]> leaves) {
    MerkleTree.Root root = new MerkleTree.Root();
    leaves.forEach(root::add);
    return root.root();
  }

  @Test
  void itsRootsAreThoseThatArePublished() {
    for (int count = 0; count <= LEAVES.size(); count++)
      assertThat(HEX.formatHex(root(leaves(count)))).isEqualTo(ROOTS.get(count));
  }

  @Test
  void everyLeafOfEveryTreeHasAPathAndNoOtherLeafHasIt() {
    for (int count = 1; count <= 35; count++) {
      List<byte[]> leaves = leaves(count);
      byte[] root = root(leaves);
      for (int index = 0; index < count; index++) {
        Iterator<byte[]> next = leaves.iterator();
        List<byte[]> path = MerkleTree.path(index, count, next::next);
        assertThat(next.hasNext()).isFalse();
        assertThat(MerkleTree.root(index, count, leaves.get(index), path)).isEqualTo(root);
        if (count == 1) continue;
        int other = (index + 1) % count;
        assertThat(MerkleTree.root(index, count, leaves.get(other), path)).isNotEqualTo(root);
      }
    }
  }

  @Test
  void aPathOfAnotherLengthIsRefused() {
    List<byte[]> leaves = leaves(5);
    List<byte[]> path = MerkleTree.path(2, 5, leaves.iterator()::next);
    assertThatThrownBy(() -> MerkleTree.root(2, 5, leaves.get(2), path.subList(0, 1)))
        .isInstanceOf(ProofError.class);
    assertThatThrownBy(() -> MerkleTree.root(2, 1, leaves.get(2), path))
        .isInstanceOf(ProofError.class);
  }
}
