package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Flink passes over an option that it does not know, so every one in the manifests is looked up here. */
class FlinkOptionsTest {

    /** The operator is not on the class path; these are in its documentation, in the table of options of a resource. */
    private static final Set<String> OF_THE_OPERATOR = Set.of(
            "kubernetes.operator.jm-deployment.shutdown-ttl",
            "kubernetes.operator.job.restart.failed",
            "kubernetes.operator.pod-template.merge-arrays-by-name");

    private static Map<String, ConfigOption<?>> known;

    @BeforeAll
    static void collectTheOptionsOfFlink() throws IOException, ReflectiveOperationException {
        known = new HashMap<>();
        for (Class<?> jarMate : List.of(CoreOptions.class, TaskExecutorProcessUtils.class)) {
            URI jar = URI.create(
                    "jar:" + jarMate.getProtectionDomain().getCodeSource().getLocation());
            try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
                    Stream<Path> classes = Files.walk(files.getPath("/org/apache/flink"))) {
                for (Path file : classes.filter(path -> path.toString().endsWith("Options.class"))
                        .toList()) {
                    collect(file.toString());
                }
            }
        }
    }

    private static void collect(String file) throws ReflectiveOperationException {
        String name = file.substring(1, file.length() - ".class".length()).replace('/', '.');
        Class<?> options = Class.forName(name, false, FlinkOptionsTest.class.getClassLoader());
        for (Field field : options.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && Modifier.isPublic(field.getModifiers())
                    && Modifier.isPublic(options.getModifiers())
                    && field.getType() == ConfigOption.class
                    && !field.isAnnotationPresent(Deprecated.class)) {
                ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                known.put(option.key(), option);
            }
        }
    }

    @Test
    void theOptionsOfFlinkWereFound() {
        assertThat(known).hasSizeGreaterThan(400).containsKeys("io.tmp.dirs", "taskmanager.numberOfTaskSlots");
        assertThat(known).doesNotContainKey("taskmanager.numberOfTaskSlot");
    }

    @Test
    void manifestOptionsAreValidFlinkOptions() {
        Map<String, Map<String, String>> configurations = configurations();

        assertThat(configurations).hasSize(4);
        configurations.forEach((where, configuration) -> configuration.forEach((key, value) -> {
            if (!OF_THE_OPERATOR.contains(key) && !key.startsWith("metrics.reporter.prom.")) {
                assertThat(known).as(where).containsKey(key);
                Configuration alone = Configuration.fromMap(Map.of(key, value));
                assertThatCode(() -> alone.get(known.get(key))).as(where).doesNotThrowAnyException();
            }
        }));
    }

    @Test
    void metricsReporterExistsAndUsesPodPort() {
        configurations().forEach((where, configuration) -> {
            assertThat(configuration)
                    .as(where)
                    .containsEntry("metrics.reporter.prom.factory.class", PrometheusReporterFactory.class.getName())
                    .containsEntry("metrics.reporter.prom.port", "9249");
        });
        JsonNode pod =
                Manifests.built("local/flink-application", "FlinkDeployment").at("/spec/podTemplate");
        assertThat(pod.at("/spec/containers/0/ports/0/containerPort").asInt()).isEqualTo(9249);
        assertThat(pod.at("/metadata/annotations").path("prometheus.io/port").asText())
                .isEqualTo("9249");
    }

    @Test
    void taskManagerMemoryAddsUpToPodMemory() {
        flinkDeployments().forEach((where, deployment) -> {
            Configuration configuration = configuration(deployment);
            MemorySize pod = MemorySize.parse(
                    deployment.at("/spec/taskManager/resource/memory").asText());
            configuration.setString("taskmanager.memory.process.size", pod.toString());
            configuration.setString(
                    "taskmanager.cpu.cores",
                    deployment.at("/spec/taskManager/resource/cpu").asText());

            TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(configuration);

            assertThat(memory.getTotalProcessMemorySize()).as(where).isEqualTo(pod);
            assertThat(memory.getTaskHeapSize()).as(where).isEqualTo(MemorySize.parse("4096m"));
            assertThat(memory.getManagedMemorySize()).as(where).isEqualTo(MemorySize.parse("128m"));
            assertThat(memory.getNetworkMemSize()).as(where).isEqualTo(MemorySize.parse("384m"));
            assertThat(memory.getJvmOverheadSize()).as(where).isEqualTo(MemorySize.parse("512m"));
        });
    }

    @Test
    void jobManagerMemoryAddsUpToPodMemory() {
        flinkDeployments().forEach((where, deployment) -> {
            Configuration configuration = configuration(deployment);
            MemorySize pod = MemorySize.parse(
                    deployment.at("/spec/jobManager/resource/memory").asText());
            configuration.setString("jobmanager.memory.process.size", pod.toString());

            JobManagerProcessSpec memory = JobManagerProcessUtils.processSpecFromConfig(configuration);

            assertThat(memory.getTotalProcessMemorySize()).as(where).isEqualTo(pod);
            assertThat(memory.getJvmHeapMemorySize()).as(where).isEqualTo(MemorySize.parse("1344m"));
            assertThat(memory.getJvmOverheadSize()).as(where).isEqualTo(MemorySize.parse("192m"));
        });
    }

    @Test
    void flinkSpillsToVolume() {
        flinkDeployments().forEach((where, deployment) -> {
            String folder = configuration(deployment).get(CoreOptions.TMP_DIRS);

            assertThat(deployment
                            .at("/spec/podTemplate/spec/containers/0/volumeMounts")
                            .findValuesAsText("mountPath"))
                    .as(where)
                    .contains(folder);
            assertThat(deployment
                            .at("/spec/flinkConfiguration")
                            .path("env.java.opts.taskmanager")
                            .asText())
                    .as(where)
                    .contains("-Djava.io.tmpdir=" + folder);
        });
    }

    private static Map<String, ObjectNode> flinkDeployments() {
        Map<String, ObjectNode> deployments = new TreeMap<>();
        for (String overlay :
                List.of("local/flink-application", "local/flink-session", "s3/flink-application", "s3/flink-session")) {
            deployments.put(overlay, Manifests.built(overlay, "FlinkDeployment"));
        }
        return deployments;
    }

    private static Map<String, Map<String, String>> configurations() {
        Map<String, Map<String, String>> configurations = new TreeMap<>();
        flinkDeployments()
                .forEach((where, deployment) ->
                        configurations.put(where, configuration(deployment).toMap()));
        return configurations;
    }

    private static Configuration configuration(ObjectNode deployment) {
        Configuration configuration = new Configuration();
        deployment
                .at("/spec/flinkConfiguration")
                .properties()
                .forEach(option -> configuration.setString(
                        option.getKey(), option.getValue().asText()));
        return configuration;
    }
}
