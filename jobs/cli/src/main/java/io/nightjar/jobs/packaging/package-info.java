/**
 * Writes what is given to others: archives and images, of which the same input makes the same bytes.
 *
 * <p>In come files by their names, out go tar archives and an OCI image layout. Knows nothing of what is in them. Read
 * {@link io.nightjar.jobs.packaging.TarArchive} first.
 */
@NullMarked
package io.nightjar.jobs.packaging;

import org.jspecify.annotations.NullMarked;
