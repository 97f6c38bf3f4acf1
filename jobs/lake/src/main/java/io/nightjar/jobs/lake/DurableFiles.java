package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Files and folders of a lake, which are there also after the power fails. */
final class DurableFiles {

    private static final int ATTEMPTS = 100;

    private DurableFiles() {}

    /**
     * Creates a folder. A writer that is canceled may remove an empty folder while another writer creates one inside:
     * then it tries again.
     */
    static void createFolder(Path folder) {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.createDirectories(folder);
                return;
            } catch (NoSuchFileException removedMeanwhile) {
                if (attempt == ATTEMPTS) {
                    throw LakeException.of("create folder", folder, removedMeanwhile);
                }
            } catch (IOException e) {
                throw LakeException.of("create folder", folder, e);
            }
        }
    }

    static void writeWhole(Path file, String text) {
        createFolder(requireNonNull(file.getParent()));
        try (AtomicFile hidden = new AtomicFile(file)) {
            try (OutputStream out = hidden.openPlain()) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
            hidden.publish();
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
    }

    /** Brings the entries of folders, and of those above them up to another one, to the disk: each once. */
    static void forceFolders(List<Path> folders, Path last) {
        Set<Path> all = new LinkedHashSet<>();
        for (Path folder : folders) {
            for (Path current = folder; !current.equals(last); current = requireNonNull(current.getParent())) {
                all.add(current);
            }
        }
        all.add(last);
        all.forEach(DurableFiles::forceFolder);
    }

    private static void forceFolder(Path folder) {
        try {
            AtomicFile.forceFolder(folder);
        } catch (IOException e) {
            throw LakeException.of("write", folder, e);
        }
    }
}
