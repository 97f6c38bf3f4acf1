/**
 * Files as such: opened and decompressed on the way in, hidden until complete on the way out.
 *
 * <p>Beside station 1 and the writers. Paths come in, streams of bytes go out; nothing here knows what a history is, but
 * for the exception that says that one cannot be read. Read {@link io.nightjar.formats.file.InputFile} first.
 */
@NullMarked
package io.nightjar.formats.file;

import org.jspecify.annotations.NullMarked;
