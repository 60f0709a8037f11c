package dev.tenure.node;

import com.typesafe.config.ConfigFactory;
import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.catalog.Registrations;
import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowModule;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Describes a node inside an application: its settings, its workflows, its activities. Without any
 * setting it reads the environment, as {@code ./tenure node} does.
 */
public final class NodeBuilder {
  private final Registrations registrations = new Registrations();
  private final Map<String, Object> settings = new HashMap<>();
  private PayloadCodec payloads = PayloadCodec.standard();
  private Optional<NodeConfig> config = Optional.empty();
  private ConfigurationSources sources = ConfigurationSources.ofEnvironment(System.getenv());

  NodeBuilder() {}

  /** Everything at once, read and checked before; no other setting is looked at then. */
  public NodeBuilder config(NodeConfig complete) {
    config = Optional.of(complete);
    return this;
  }

  /** A file in HOCON. The environment wins over it, and {@link #setting} over both. */
  public NodeBuilder configFile(Path file) {
    sources = sources.withFile(file);
    return this;
  }

  /** One setting by its full name, {@code tenure.storage.url} for instance. */
  public NodeBuilder setting(String key, Object value) {
    settings.put(key, value);
    return this;
  }

  /** A workflow whose class has a public constructor without parameters. */
  public NodeBuilder workflow(Class<?> workflow) {
    registrations.workflow(workflow);
    return this;
  }

  /** A workflow whose objects the factory makes, one for each run. */
  public <W> NodeBuilder workflow(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    registrations.workflow(workflow, factory);
    return this;
  }

  public <I, O> NodeBuilder activity(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {
    registrations.activity(definition, body);
    return this;
  }

  /**
   * @param atOnce how many of it run on this node at the same time
   */
  public <I, O> NodeBuilder activity(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body, int atOnce) {
    registrations.activity(definition, body, atOnce);
    return this;
  }

  /** An activity with all that belongs to it, as a verifier. */
  public <I, O> NodeBuilder activity(ActivityCode<I, O> code) {
    registrations.activity(code);
    return this;
  }

  /** One more around the code of all steps and activities, within those before it. */
  public NodeBuilder interceptor(StepInterceptor interceptor) {
    registrations.interceptor(interceptor);
    return this;
  }

  public NodeBuilder module(WorkflowModule module) {
    registrations.module(module);
    return this;
  }

  /** The modules that the JARs on the class path name. */
  public NodeBuilder modulesOnClassPath() {
    registrations.modulesOf(Thread.currentThread().getContextClassLoader());
    return this;
  }

  /** What was registered so far. */
  public Catalog catalog() {
    return registrations.catalog();
  }

  /** How inputs, results and signals are written and read; all nodes of a cluster do it alike. */
  public NodeBuilder payloads(PayloadCodec codec) {
    payloads = codec;
    return this;
  }

  /**
   * Encrypts values before they are stored, and decrypts them for the code of workflows, steps and
   * activities and for {@link TenureNode#workflows()}. The HTTP API shows them encrypted.
   */
  public NodeBuilder encryption(PayloadCipher cipher) {
    registrations.encryption(cipher);
    return this;
  }

  /**
   * Starts the node. When this returns, it looks for its cluster; when it throws, nothing is left
   * running.
   */
  public TenureNode start() {
    NodeConfig complete =
        config.orElseGet(
            () ->
                NodeConfig.load(
                    sources.withOverrides(ConfigFactory.parseMap(settings, "the application"))));
    Catalog catalog = registrations.catalog();
    return TenureNode.start(complete, catalog, catalog.encrypted(payloads));
  }
}
