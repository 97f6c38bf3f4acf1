/** Tests of what is deployed: manifests against the schemas of Kubernetes and Flink, their commands, and Flink SQL. */
package io.nightjar.k8s;
