package io.nightjar.jobs.command;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Path of a history: on this machine, in an object store, or of a single file of a web server. */
public final class HistoryAddressConverter implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        try {
            return Addresses.path(text);
        } catch (AddressException wrong) {
            throw new TypeConversionException(Objects.requireNonNull(wrong.getMessage()));
        }
    }
}
