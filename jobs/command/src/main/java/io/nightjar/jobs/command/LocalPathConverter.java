package io.nightjar.jobs.command;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Path on this machine; the converter of parameters that name no other. */
public final class LocalPathConverter implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        try {
            return OutputPaths.localPath("value", text);
        } catch (UsageException wrong) {
            throw new TypeConversionException(Objects.requireNonNull(wrong.getMessage()));
        }
    }
}
