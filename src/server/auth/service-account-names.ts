// The users and groups of service accounts.
// Kubernetes: k8s.io/apiserver/pkg/authentication/serviceaccount.MakeUsername, MakeGroupNames, SplitUsername

const prefix = 'system:serviceaccount:'

export const serviceAccountUser = (namespace: string, name: string) => `${prefix}${namespace}:${name}`

export const serviceAccountGroups = (namespace: string): string[] => ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]

/** Undefined for a user that is not a service account. */
export function parseServiceAccountUser(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined
  const [namespace = '', name = '', ...rest] = user.slice(prefix.length).split(':')
  return namespace === '' || name === '' || rest.length > 0 ? undefined : { namespace, name }
}
