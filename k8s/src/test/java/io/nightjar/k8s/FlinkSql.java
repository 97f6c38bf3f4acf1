package io.nightjar.k8s;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.client.deployment.executors.RemoteExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;

/** Flink SQL in batch mode with the statements that we ship, on a cluster inside this process. */
final class FlinkSql {

    static final Path DDL = Manifests.HOME.resolveSibling("docs").resolve("flink-ddl.sql");

    private final TableEnvironment tables;

    private FlinkSql(TableEnvironment tables) {
        this.tables = tables;
    }

    /** Without one, every query would start a cluster of its own. */
    static MiniCluster startCluster() throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(new Configuration().set(RestOptions.BIND_PORT, "0"))
                .setNumSlotsPerTaskManager(4)
                .build());
        cluster.start();
        return cluster;
    }

    /** Loads Flink's plug-in for S3, as its processes do when they start, for buckets of this server. */
    static void useStore(Map<String, String> environment) throws IOException {
        Configuration configuration = new Configuration();
        configuration.setString("s3.endpoint", environment.get("NIGHTJAR_S3_ENDPOINT"));
        configuration.setString("s3.access-key", environment.get("AWS_ACCESS_KEY_ID"));
        configuration.setString("s3.secret-key", environment.get("AWS_SECRET_ACCESS_KEY"));
        configuration.setString("s3.path.style.access", "true");
        Path plugins = Path.of("target", "plugins");
        if (!Files.isDirectory(plugins)) {
            throw new IllegalStateException("the build copies the plug-in: run mvn -pl k8s generate-test-resources");
        }
        FileSystem.initialize(
                configuration,
                new DefaultPluginManager(
                        new DirectoryBasedPluginFinder(plugins).findPlugins(),
                        CoreOptions.getPluginParentFirstLoaderPatterns(configuration)));
    }

    /** @param key,value the types of the history's keys and values in Flink's SQL */
    static FlinkSql open(MiniCluster cluster, String lake, String history, String key, String value) throws Exception {
        URI rest = cluster.getRestAddress().get();
        Configuration configuration = new Configuration()
                .set(DeploymentOptions.TARGET, RemoteExecutor.NAME)
                .set(RestOptions.ADDRESS, rest.getHost())
                .set(RestOptions.PORT, rest.getPort())
                .set(CoreOptions.DEFAULT_PARALLELISM, 1);
        FlinkSql sql = new FlinkSql(TableEnvironment.create(EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(configuration)
                .build()));
        String ddl = read().replace("${lake}", lake)
                .replace("${history}", history)
                .replace("${key}", key)
                .replace("${value}", value);
        for (String statement : statements(ddl)) {
            sql.tables.executeSql(statement);
        }
        return sql;
    }

    private static String read() {
        try {
            return Files.readString(DDL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without comments, which Flink's parser takes only from its own client. */
    private static List<String> statements(String sql) {
        String code = sql.lines().filter(line -> !line.strip().startsWith("--")).collect(Collectors.joining("\n"));
        return Arrays.stream(code.split(";"))
                .filter(statement -> !statement.isBlank())
                .toList();
    }

    List<String> names() {
        return List.of(tables.listTables());
    }

    List<String> columns(String table) {
        return tables.from(table).getResolvedSchema().getColumnNames();
    }

    /** Rows as lines of text, in no order. */
    List<String> rows(String query) {
        List<String> rows = new ArrayList<>();
        tables.executeSql(query).collect().forEachRemaining(row -> rows.add(text(row)));
        return rows;
    }

    private static String text(Row row) {
        List<String> cells = new ArrayList<>();
        for (int cell = 0; cell < row.getArity(); cell++) {
            Object value = row.getField(cell);
            cells.add(value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value));
        }
        return String.join(" | ", cells);
    }
}
