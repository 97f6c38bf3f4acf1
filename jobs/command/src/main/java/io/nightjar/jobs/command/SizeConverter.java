package io.nightjar.jobs.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as people write them on the command line. */
public final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /** Parses a number of bytes. */
    public static long parse(String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException noSize) {
            throw new TypeConversionException(noSize.getMessage());
        }
    }
}
