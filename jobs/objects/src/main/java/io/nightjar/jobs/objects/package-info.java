/**
 * Object stores as file systems: buckets of S3 and Google, containers of Azure, and files of web servers.
 *
 * <p>A path such as {@code s3://bucket/key} reaches every reader and writer of histories and tables as a {@link
 * java.nio.file.Path}; {@link io.nightjar.formats.file.Addresses} finds this module by its services. Read {@link
 * io.nightjar.jobs.objects.ObjectStore} first, then {@link io.nightjar.jobs.objects.ObjectChannel}. Depends on {@code
 * formats} only.
 */
@NullMarked
package io.nightjar.jobs.objects;

import org.jspecify.annotations.NullMarked;
