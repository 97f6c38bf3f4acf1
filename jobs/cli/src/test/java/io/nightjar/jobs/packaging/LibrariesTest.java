package io.nightjar.jobs.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars by the part of a distribution that needs them, and DuckDB's jar for one platform. */
class LibrariesTest {

    @TempDir
    private Path folder;

    @Test
    void jarsBelongToCoreOrToAddOns() throws IOException {
        jar("nightjar-lake-1.0.jar", "nightjar-lake", "lib/zstd-jni.jar");
        jar("nightjar-objects-1.0.jar", "nightjar-objects", "lib/zstd-jni.jar");
        jar("nightjar-mock-1.0.jar", "nightjar-mock", "lib/zstd-jni.jar:lib/h2.jar:lib/postgresql.jar");
        jar("nightjar-record-1.0.jar", "nightjar-record", "lib/nightjar-lake.jar:lib/postgresql.jar");
        for (String other : List.of("zstd-jni-1.5.7-15", "h2-2.5", "postgresql-42", "jline-3", "slf4j-api-2.0.17")) {
            jar(other + ".jar", "", "");
        }

        Libraries libraries = Libraries.in(folder);

        assertThat(names(libraries.core()))
                .containsExactly(
                        "jline-3.jar",
                        "nightjar-lake-1.0.jar",
                        "nightjar-objects-1.0.jar",
                        "slf4j-api-2.0.17.jar",
                        "zstd-jni-1.5.7-15.jar");
        assertThat(libraries.addOns()).containsOnlyKeys("mock", "record");
        assertThat(names(libraries.addOns().get("mock")))
                .containsExactly("h2-2.5.jar", "nightjar-mock-1.0.jar", "postgresql-42.jar");
        assertThat(names(libraries.addOns().get("record")))
                .containsExactly("nightjar-record-1.0.jar", "postgresql-42.jar");
        assertThat(libraries.all()).hasSize(9);
    }

    @Test
    void duckDbKeepsTheLibraryOfOnePlatform() throws IOException {
        Path jar = folder.resolve("duckdb_jdbc-2.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name :
                    List.of("Driver.class", "libduckdb_java.so_linux_amd64", "libduckdb_java.so_linux_arm64")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");

        DuckDbJar.copyFor(Platform.LINUX_ARM64, jar, first);
        DuckDbJar.copyFor(Platform.LINUX_ARM64, jar, second);

        assertThat(second).hasSameBinaryContentAs(first);
        try (ZipFile copy = new ZipFile(first.toFile())) {
            assertThat(copy.stream().map(ZipEntry::getName))
                    .containsExactly("Driver.class", "libduckdb_java.so_linux_arm64");
            assertThat(copy.getInputStream(copy.getEntry("Driver.class")).readAllBytes())
                    .asString()
                    .isEqualTo("Driver.class");
        }
    }

    @Test
    void platformsAreNamedAsJavaNamesThem() {
        assertThat(Platform.of("Linux", "amd64")).contains(Platform.LINUX_AMD64);
        assertThat(Platform.of("Linux", "aarch64")).contains(Platform.LINUX_ARM64);
        assertThat(Platform.of("Mac OS X", "aarch64")).contains(Platform.MACOS_ARM64);
        assertThat(Platform.of("Mac OS X", "x86_64")).isEmpty();
        assertThat(Platform.of("Windows 11", "amd64")).contains(Platform.WINDOWS_AMD64);
    }

    private static List<String> names(List<Path> jars) {
        return jars.stream().map(jar -> jar.getFileName().toString()).toList();
    }

    private void jar(String name, String module, String libraries) throws IOException {
        try (OutputStream file = Files.newOutputStream(folder.resolve(name));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("META-INF/nightjar/" + module + ".libraries"));
            zip.write(libraries.getBytes(StandardCharsets.UTF_8));
        }
    }
}
