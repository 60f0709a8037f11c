package dev.tenure.persistence.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples that Amazon published for Signature Version 4. */
class SigV4Test {
  private static final Instant S3_DAY = Instant.parse("2013-05-24T00:00:00Z");
  private static final String EMPTY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static String signature(
      String method, String path, String query, Map<String, String> headers, String hash) {
    S3Credentials example =
        new S3Credentials(
            "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", Optional.empty());
    Map<String, String> all = new HashMap<>(headers);
    all.put("host", "examplebucket.s3.amazonaws.com");
    all.put("x-amz-content-sha256", hash);
    all.put("x-amz-date", SigV4.time(S3_DAY));
    String authorization =
        new SigV4(example, "us-east-1", "s3").authorization(method, path, query, all, hash, S3_DAY);
    assertThat(authorization)
        .startsWith(
            "AWS4-HMAC-SHA256"
                + " Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,");
    return authorization.replaceAll(".*Signature=", "");
  }

  @Test
  void theExamplesOfS3HaveTheirSignatures() {
    assertThat(signature("GET", "/test.txt", "", Map.of("range", "bytes=0-9"), EMPTY))
        .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    assertThat(
            signature(
                "PUT",
                "/" + SigV4.escaped("test$file.text", true),
                "",
                Map.of(
                    "date",
                    "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class",
                    "REDUCED_REDUNDANCY"),
                SigV4.hash("Welcome to Amazon S3.")))
        .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    assertThat(signature("GET", "/", "lifecycle=", Map.of(), EMPTY))
        .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(signature("GET", "/", "max-keys=2&prefix=J", Map.of(), EMPTY))
        .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  /** The first request of the published test suite. */
  @Test
  void aPlainRequestHasItsSignature() {
    S3Credentials example =
        new S3Credentials(
            "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Optional.empty());
    Instant now = Instant.parse("2015-08-30T12:36:00Z");
    Map<String, String> headers =
        Map.of("host", "example.amazonaws.com", "x-amz-date", SigV4.time(now));
    assertThat(
            new SigV4(example, "us-east-1", "service")
                .authorization("GET", "/", "", headers, EMPTY, now))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                + " SignedHeaders=host;x-amz-date,"
                + " Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  }

  @Test
  void namesAreEscapedAsTheyAreSigned() {
    assertThat(SigV4.escaped("a b/ü~%.gz", true)).isEqualTo("a%20b/%C3%BC~%25.gz");
    assertThat(SigV4.escaped("a/b", false)).isEqualTo("a%2Fb");
  }
}
