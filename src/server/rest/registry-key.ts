// The keys under which Kubernetes stores objects: some messages show them.
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.NamespaceKeyFunc, NoNamespaceKeyFunc
import type { Kind } from '../../api/machinery/kind.ts'

/** Resources that are stored under another name, most of them from the first versions of Kubernetes. */
const otherNames: Readonly<Record<string, string>> = {
  'apiextensions.CustomResourceDefinition': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.APIService': 'apiregistration.k8s.io/apiservices',
  'core.Endpoints': 'services/endpoints',
  'core.Node': 'minions',
  'core.ReplicationController': 'controllers',
  'core.Service': 'services/specs',
  'networking.Ingress': 'ingress',
}

export function registryKeyOf({ type, group, plural, customType }: Kind, namespace: string, name: string): string {
  const resource = customType === undefined ? (otherNames[type] ?? plural) : `${group}/${plural}`
  return ['/registry', resource, ...(namespace === '' ? [] : [namespace]), name].join('/')
}
