package io.nightjar.jobs.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Memory of a process as people write it on the command line: at least the heap without which none is started. */
public final class MemoryConverter implements ITypeConverter<Long> {

    /** Smallest heap with which a process is started. */
    public static final long MIN_HEAP = 64L << 20;

    @Override
    public Long convert(String text) {
        long bytes = SizeConverter.parse(text);
        if (bytes < MIN_HEAP) {
            String min = (MIN_HEAP >> 20) + "m";
            throw new TypeConversionException("less memory than a process needs: value=%s least=%s; write %s or more"
                    .formatted(text.strip(), min, min));
        }
        return bytes;
    }
}
