package dev.tenure.node.command.remote;

import dev.tenure.client.RetryPolicy;
import dev.tenure.client.TenureClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Which server is meant, and how to get in: options win over the environment, that over a profile.
 */
final class Remote {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (TENURE_URL; default: " + Profile.DEFAULT_URL + ").")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Address and credential under a name in ~/.config/tenure/config (TENURE_PROFILE).")
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--credential-file",
      paramLabel = "FILE",
      description = "A file with the API key or token (TENURE_CREDENTIAL_FILE).")
  private Optional<Path> credentialFile = Optional.empty();

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "Certificates to trust instead of the system's, as PEM (TENURE_CA_FILE).")
  private Optional<Path> caFile = Optional.empty();

  @Option(
      names = "--credentials-over-plain-http",
      description = "Send the credential without encryption, to other machines too.")
  private boolean plainHttp;

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Span.class,
      description = "How long to try again what fails for now (default: ${DEFAULT-VALUE}).")
  private Duration retryFor;

  TenureClient open() {
    Map<String, String> environment = System.getenv();
    Profile named =
        Profile.read(
            Profile.file(environment), profile.or(() -> given(environment, "TENURE_PROFILE")));
    String server =
        url.or(() -> given(environment, "TENURE_URL")).or(named::url).orElse(Profile.DEFAULT_URL);
    RetryPolicy retries =
        new RetryPolicy(
            RetryPolicy.DEFAULT.attemptsMax(),
            RetryPolicy.DEFAULT.firstPause(),
            RetryPolicy.DEFAULT.pauseMax(),
            retryFor);
    try {
      TenureClient.Builder builder = TenureClient.to(server).retries(retries);
      // One that was given for this server, or the profile's own: never the profile's for another.
      boolean elsewhere = named.url().isPresent() && !named.url().get().equals(server);
      credentialFile
          .or(() -> given(environment, "TENURE_CREDENTIAL_FILE").map(Path::of))
          .or(() -> elsewhere ? Optional.empty() : named.credentialFile())
          .ifPresent(file -> builder.credential(credential(file)));
      if (plainHttp || named.plainHttp() && !elsewhere) builder.credentialsOverPlainHttp();
      caFile
          .or(() -> given(environment, "TENURE_CA_FILE").map(Path::of))
          .or(named::caFile)
          .ifPresent(builder::trusting);
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new CommandError(
          e.getMessage().replace("credentialsOverPlainHttp()", "--credentials-over-plain-http"));
    }
  }

  private static Optional<String> given(Map<String, String> environment, String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isBlank());
  }

  private static String credential(Path file) {
    try {
      String text = Files.readString(file).strip();
      // Said of the file, not with it: what is in there must not reach a terminal or a log.
      if (text.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        throw new CommandError("%s has to hold one key or token, and nothing else".formatted(file));
      }
      return text;
    } catch (IOException e) {
      throw new CommandError("the credential file %s cannot be read".formatted(file));
    }
  }
}
