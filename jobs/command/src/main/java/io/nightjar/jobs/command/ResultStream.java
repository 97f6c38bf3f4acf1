package io.nightjar.jobs.command;

import static java.util.Objects.requireNonNull;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Stdout that does not swallow failures: a reader that went away, or a full disk of a redirection, ends the command,
 * whose output would be lost.
 */
public final class ResultStream extends OutputStream {

    private final OutputStream stdout;

    private ResultStream(OutputStream stdout) {
        this.stdout = stdout;
    }

    public static PrintStream overStdout(int bufferBytes) {
        OutputStream raw = new ResultStream(new FileOutputStream(FileDescriptor.out));
        boolean flushLines = Terminal.stdoutIsTerminal();
        return new PrintStream(new BufferedOutputStream(raw, bufferBytes), flushLines, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            stdout.write(bytes, offset, length);
        } catch (IOException failure) {
            throw new BrokenException(failure);
        }
    }

    /** Results could not be delivered. Unchecked, because {@link PrintStream} hides every {@link IOException}. */
    public static final class BrokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public BrokenException(IOException cause) {
            super(cause);
        }

        public boolean isBrokenPipe() {
            return ResultStream.isBrokenPipe(requireNonNull(getCause()));
        }
    }

    /** Returns whether a reader went away before it had read all output. */
    public static boolean isBrokenPipe(Throwable failure) {
        return failure.getMessage() != null && failure.getMessage().contains("Broken pipe");
    }
}
