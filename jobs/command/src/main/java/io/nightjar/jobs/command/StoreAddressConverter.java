package io.nightjar.jobs.command;

import io.nightjar.formats.file.AddressException;
import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Path of a lake, or of a history to write: on this machine or in an object store. */
public final class StoreAddressConverter implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        try {
            return OutputPaths.folder("value", text);
        } catch (AddressException | UsageException wrong) {
            throw new TypeConversionException(Objects.requireNonNull(wrong.getMessage()));
        }
    }
}
