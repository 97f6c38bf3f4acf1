package io.nightjar.jobs.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as people write them on the command line. */
public final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /** The bytes that a text stands for. */
    public static long parse(String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException noSize) {
            throw new TypeConversionException(noSize.getMessage());
        }
    }
}
