/**
 * Archives and images for distribution: the same input produces the same bytes.
 *
 * <p>Its input is files by their names; its output is tar archives and an OCI image layout. Does not depend on the
 * content. Read {@link io.nightjar.jobs.packaging.TarArchive} first.
 */
@NullMarked
package io.nightjar.jobs.packaging;

import org.jspecify.annotations.NullMarked;
