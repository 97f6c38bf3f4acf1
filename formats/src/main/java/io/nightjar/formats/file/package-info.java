/**
 * Access to files independent of format: input is opened and decompressed, output is hidden until complete.
 *
 * <p>Used by stage 1 and by the writers. The interface consists of paths and byte streams; except for the exception
 * that reports an unreadable history, no class here depends on histories. Read {@link
 * io.nightjar.formats.file.InputFile} first.
 */
@NullMarked
package io.nightjar.formats.file;

import org.jspecify.annotations.NullMarked;
