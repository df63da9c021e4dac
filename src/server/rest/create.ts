// create: a new object, with its own name or a generated one.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.createHandler
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Create, Store.createWithGenerateNameRetry
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeCreate, CheckGeneratedNameError
// Kubernetes: k8s.io/apiserver/pkg/storage/names.simpleNameGenerator.GenerateName
import type { Kind } from '../../api/machinery/kind.ts'
import type { Entry } from './entry.ts'
import { readBody } from './request-body.ts'
import type { Input, WriteOptions } from './rest.ts'
import type { WriteScope } from './scope.ts'
import { write } from './write-pipeline.ts'

export async function create(scope: WriteScope, kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<Entry> {
  const { entry } = await write(scope, {
    kind,
    namespace,
    name: undefined,
    subresource: undefined,
    options,
    mayCreate: true,
    decode: () => readBody(kind, input, options),
  })
  return entry
}
