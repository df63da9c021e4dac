// etcd's limit for one request, which is the limit for a stored object.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.isTooLargeError
import { failure, type StatusError } from './status-error.ts'

/** etcd: --max-request-bytes */
export const maxRequestBytes = 1.5 * 1024 * 1024

/** The error of etcd, as the API server passes it on. */
export const requestTooLargeError = (): StatusError => failure(500, '', 'etcdserver: request is too large')
