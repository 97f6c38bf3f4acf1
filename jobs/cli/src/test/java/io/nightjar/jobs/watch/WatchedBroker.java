package io.nightjar.jobs.watch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The broker that the tests of {@code nightjar-kafka} use, with a separate class loader: the Scala that it needs is not
 * the version that Flink brings along.
 */
final class WatchedBroker {

    private static final String CLASS = "io.nightjar.jobs.kafka.TestBroker";

    private final ClassLoader loader;
    private final Object broker;

    private WatchedBroker(ClassLoader loader, Object broker) {
        this.loader = loader;
        this.broker = broker;
    }

    static WatchedBroker start(Path folder) throws Exception {
        ClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
        Class<?> type = loader.loadClass(CLASS);
        return new WatchedBroker(loader, call(loader, type.getMethod("start", Path.class), null, folder));
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        String name = CLASS.replace('.', '/') + ".class";
        URL own = WatchedBroker.class.getClassLoader().getResource(name);
        String location =
                own.toString().replace("jar:", "").replace("!/" + name, "").replace(name, "");
        urls.add(new URL(location));
        try (InputStream list = WatchedBroker.class.getResourceAsStream("/broker-class-path")) {
            String text = new String(list.readAllBytes(), StandardCharsets.UTF_8).strip();
            for (String jar : text.split(File.pathSeparator)) {
                urls.add(Path.of(jar).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static Object call(ClassLoader loader, Method method, Object on, Object... arguments) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Object call(String name, Object... arguments) throws Exception {
        Method method = Arrays.stream(broker.getClass().getMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return call(loader, method, broker, arguments);
    }

    String address() throws Exception {
        return (String) call("address");
    }

    void create(String topic, int partitions) throws Exception {
        call("create", topic, partitions);
    }

    void send(String topic, int partition, List<String> messages) throws Exception {
        call("send", topic, partition, messages);
    }

    void stop() throws Exception {
        call("stop");
    }

    void startAgain() throws Exception {
        call("startAgain");
    }

    void close() throws Exception {
        call("close");
    }
}
