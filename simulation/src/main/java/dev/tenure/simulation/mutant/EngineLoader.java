package dev.tenure.simulation.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Loads the engine and the simulation afresh; a subclass rewrites their classes. */
abstract class EngineLoader extends ClassLoader {
  private static final String OURS = "dev.tenure.";

  EngineLoader() {
    super(EngineLoader.class.getClassLoader());
  }

  abstract byte[] rewrite(String name, byte[] bytes);

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes;
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) throw new ClassNotFoundException(name);
      bytes = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] written = rewrite(name, bytes);
    return defineClass(name, written, 0, written.length);
  }
}
