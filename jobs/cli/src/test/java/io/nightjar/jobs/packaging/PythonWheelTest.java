package io.nightjar.jobs.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** Wheels have the parts of their format, and the same bytes at every time. */
class PythonWheelTest {

    private static final String INFO = "nightjar-1.2.dist-info/";

    @Test
    void wheelRecordsEveryFile() throws IOException {
        byte[] bytes = write();
        Map<String, String> texts = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                texts.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
            }
        }

        assertThat(texts.keySet())
                .containsExactly(
                        INFO + "LICENSE", INFO + "METADATA", INFO + "WHEEL", "nightjar/__init__.py", INFO + "RECORD");
        assertThat(texts.get("nightjar/__init__.py")).isEqualTo("hello\n");
        assertThat(texts.get(INFO + "METADATA")).contains("\nName: nightjar\nVersion: 1.2\n");
        assertThat(texts.get(INFO + "RECORD").lines())
                .hasSize(texts.size())
                .contains("nightjar/__init__.py,sha256=WJG1tSLV3whtD_CxEPvZ0hu0_HFjrzTQgoai6Eb2vgM,6")
                .endsWith(INFO + "RECORD,,");
        assertThat(texts.get(INFO + "WHEEL")).contains("\nTag: py3-none-linux_aarch64\n");
        assertThat(PythonWheel.fileName("1.2", Platform.LINUX_ARM64))
                .isEqualTo("nightjar-1.2-py3-none-linux_aarch64.whl");
        assertThat(write()).isEqualTo(bytes);
    }

    @Test
    void metadataIsThatOfTheProjectFile() throws IOException {
        String project = Files.readString(Path.of("..", "python", "pyproject.toml"));
        Map<String, String> fields = new TreeMap<>();
        PythonWheel.metadata("1.2")
                .lines()
                .map(line -> line.split(": ", 2))
                .forEach(field -> fields.put(field[0], field[1]));

        assertThat(project)
                .contains("name = \"" + fields.get("Name") + "\"")
                .contains("description = \"" + fields.get("Summary") + "\"")
                .contains("requires-python = \"" + fields.get("Requires-Python") + "\"")
                .contains("license = { text = \"" + fields.get("License") + "\" }")
                .contains("Homepage = \"" + fields.get("Home-page") + "\"")
                .contains(fields.get("Provides-Extra") + " = [\"pandas\"]");
    }

    private static byte[] write() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarArchive files = new TarArchive()
                .add("nightjar/__init__.py", "hello\n")
                .add(PythonWheel.infoFolder("1.2") + "LICENSE", "license");
        PythonWheel.write("1.2", Platform.LINUX_ARM64, files, out);
        return out.toByteArray();
    }
}
