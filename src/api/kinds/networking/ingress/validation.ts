// Kubernetes: pkg/apis/networking/validation.ValidateIngressCreate, ValidateIngressUpdate, ValidateIngressStatusUpdate
// Kubernetes: pkg/apis/networking/validation.ValidateIngressSpec, validateIngressBackend, validateHTTPIngressPath, validateIngressRules
// Kubernetes: pkg/registry/networking/ingress.ingressStrategy.WarningsOnCreate
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { core } from '../../../machinery/generated/models.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isCanonicalIp, parseIp } from '../../../machinery/validation/ip-address.ts'
import {
  isDns1123Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
} from '../../../machinery/validation/names.ts'
import type { Ingress } from '../../../types.ts'

type Spec = NonNullable<Ingress['spec']>
type Backend = NonNullable<Spec['defaultBackend']>
type Rule = NonNullable<Spec['rules']>[number]
type Path = NonNullable<Rule['http']>['paths'][number]

const classAnnotation = 'kubernetes.io/ingress.class'

export function ingressWarnings({ metadata, spec }: Ingress, current: Ingress | undefined): string[] {
  if (current !== undefined || metadata?.annotations?.[classAnnotation] === undefined || spec?.ingressClassName !== undefined) return []
  return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
}

export function validateIngress(ingress: Ingress): FieldError[] {
  const errors = validateSpec(ingress.spec, false, false)
  const annotation = ingress.metadata?.annotations?.[classAnnotation]
  const className = ingress.spec?.ingressClassName
  if (annotation !== undefined && className !== undefined && annotation !== className)
    errors.push(invalid(`annotations.${classAnnotation}`, annotation, 'must match `ingressClassName` when both are specified'))
  return errors
}

export function validateIngressUpdate(next: Ingress, current: Ingress): FieldError[] {
  // A stored object may violate rules that were added later.
  const hasBadSecret = (current.spec?.tls ?? []).some(({ secretName }) => secretName && isDns1123Subdomain(secretName).length > 0)
  const hasBadWildcard = (current.spec?.rules ?? []).some((rule) => rule.host?.includes('*') && validateRuleValue(rule, '').length > 0)
  return validateSpec(next.spec, hasBadSecret, hasBadWildcard)
}

function validateSpec(spec: Ingress['spec'], allowBadSecret: boolean, allowBadWildcard: boolean): FieldError[] {
  const errors: FieldError[] = []
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec ?? {}
  if (rules.length === 0 && defaultBackend === undefined)
    errors.push(invalid('spec', spec?.rules ?? null, 'either `defaultBackend` or `rules` must be specified'))
  if (defaultBackend !== undefined) errors.push(...validateBackend(defaultBackend, 'spec.defaultBackend'))
  for (const [index, rule] of rules.entries()) {
    const path = `spec.rules[${index}]`
    if (rule.host) {
      if (parseIp(rule.host) !== undefined) errors.push(invalid(`${path}.host`, rule.host, 'must be a DNS name, not an IP address'))
      addHostErrors(errors, rule.host, `${path}.host`)
    }
    if (!allowBadWildcard || !rule.host?.includes('*')) errors.push(...validateRuleValue(rule, path))
  }
  for (const [index, { hosts = [], secretName }] of tls.entries()) {
    const path = `spec.tls[${index}]`
    for (const [position, host] of hosts.entries()) addHostErrors(errors, host, `${path}.hosts[${position}]`)
    if (secretName && !allowBadSecret)
      for (const message of isDns1123Subdomain(secretName)) errors.push(invalid(`${path}.secretName`, secretName, message))
  }
  if (ingressClassName !== undefined)
    for (const message of isDns1123Subdomain(ingressClassName)) errors.push(invalid('spec.ingressClassName', ingressClassName, message))
  return errors
}

function addHostErrors(errors: FieldError[], host: string, path: string): void {
  for (const message of host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host))
    errors.push(invalid(path, host, message))
}

function validateRuleValue({ http }: Rule, path: string): FieldError[] {
  if (http === undefined) return []
  const paths = http.paths ?? []
  if (paths.length === 0) return [required(`${path}.http.paths`, '')]
  return paths.flatMap((one, index) => validatePath(one, `${path}.http.paths[${index}]`))
}

const absolutePathMessage = 'must be an absolute path'

function validatePath({ path = '', pathType, backend }: Path, at: string): FieldError[] {
  if (pathType === undefined || pathType === null) return [required(`${at}.pathType`, 'pathType must be specified')]
  const errors: FieldError[] = []
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) errors.push(invalid(`${at}.path`, path, absolutePathMessage))
    for (const part of ['//', '/./', '/../', '%2f', '%2F'])
      if (path.includes(part)) errors.push(invalid(`${at}.path`, path, `must not contain '${part}'`))
    for (const end of ['/..', '/.']) if (path.endsWith(end)) errors.push(invalid(`${at}.path`, path, `cannot end with '${end}'`))
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) errors.push(invalid(`${at}.path`, path, absolutePathMessage))
  } else addUnsupported(errors, pathType, 'networking.HTTPIngressPath.pathType', `${at}.pathType`)
  return [...errors, ...validateBackend(backend ?? {}, `${at}.backend`)]
}

function validateBackend({ resource, service }: Backend, path: string): FieldError[] {
  if (resource !== undefined && service !== undefined) return [invalid(path, '', 'cannot set both resource and service backends')]
  if (resource !== undefined) return validateReference(resource, `${path}.resource`)
  if (service === undefined) return [invalid(path, '', 'resource or service backend is required')]
  const errors: FieldError[] = []
  if (!service.name) errors.push(required(`${path}.service.name`, ''))
  else for (const message of isDns1123Label(service.name)) errors.push(invalid(`${path}.service.name`, service.name, message))
  const { name, number } = service.port ?? {}
  if (name && number) errors.push(invalid(path, '', 'cannot set both port name & port number'))
  else if (name) for (const message of isValidPortName(name)) errors.push(invalid(`${path}.service.port.name`, name, message))
  else if (number) for (const message of isValidPortNumber(number)) errors.push(invalid(`${path}.service.port.number`, number, message))
  else errors.push(required(path, 'port name or number is required'))
  return errors
}

export function validateReference({ apiGroup, kind, name }: core.TypedLocalObjectReference, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (apiGroup !== undefined && apiGroup !== null)
    for (const message of isDns1123Subdomain(apiGroup)) errors.push(invalid(`${path}.apiGroup`, apiGroup, message))
  for (const [field, value] of [
    ['kind', kind],
    ['name', name],
  ] as const)
    if (!value) errors.push(required(`${path}.${field}`, ''))
    else for (const message of isPathSegmentName(value)) errors.push(invalid(`${path}.${field}`, value, message))
  return errors
}

export function validateIngressStatusUpdate(next: Ingress, current: Ingress): FieldError[] {
  const known = new Set((current.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip))
  return (next.status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }, index) => {
    const path = `status.loadBalancer.ingress[${index}]`
    return [
      ...(ip && !known.has(ip) ? isCanonicalIp(ip).map((message) => invalid(`${path}.ip`, ip, message)) : []),
      ...(hostname ? isDns1123Subdomain(hostname).map((message) => invalid(`${path}.hostname`, hostname, message)) : []),
      ...(hostname && parseIp(hostname) !== undefined
        ? [invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address')]
        : []),
    ]
  })
}
