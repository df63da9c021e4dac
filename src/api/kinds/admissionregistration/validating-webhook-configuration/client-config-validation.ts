// Validation of the address of a webhook.
// Kubernetes: k8s.io/apiserver/pkg/util/webhook.ValidateWebhookURL, ValidateWebhookService
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { isDns1123Subdomain, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'

type ClientConfig = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number]['clientConfig']
type ServiceReference = NonNullable<ClientConfig['service']>

export function validateClientConfig(config: ClientConfig | undefined, path: string): FieldError[] {
  const { url, service } = config ?? {}
  if (url !== undefined && service === undefined) return validateUrl(url, `${path}.url`)
  if (url === undefined && service !== undefined) return validateService(service, `${path}.service`)
  return [required(path, 'exactly one of url or service is required')]
}

const form = '; desired format: https://host[/path]'

function validateUrl(text: string, path: string): FieldError[] {
  const [, scheme = '', rest = text] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s.exec(text) ?? []
  const [, authority = '', tail = ''] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const hash = tail.indexOf('#')
  const beforeHash = hash < 0 ? tail : tail.slice(0, hash)
  const question = beforeHash.indexOf('?')
  const errors: FieldError[] = []
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(invalid(path, host, `host must be specified${form}`))
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'))
  if (hash >= 0 && hash < tail.length - 1) errors.push(invalid(path, tail.slice(hash + 1), 'fragments are not permitted in the URL'))
  if (question >= 0 && question < beforeHash.length - 1)
    errors.push(invalid(path, beforeHash.slice(question + 1), 'query parameters are not permitted in the URL'))
  return errors
}

function validateService({ name, namespace, path: urlPath = '', port }: ServiceReference, path: string): FieldError[] {
  const errors: FieldError[] = []
  // Kubernetes passes the two in the wrong order, and therefore names the other field.
  if (!namespace) errors.push(required(`${path}.name`, ''))
  if (!name) errors.push(required(`${path}.namespace`, ''))
  const problems = isValidPortNumber(port ?? 0)
  if (problems.length > 0) errors.push(invalid(`${path}.port`, port ?? 0, `port is not valid: ${problems.join(', ')}`))
  if (urlPath === '' || urlPath === '/') return errors
  const at = `${path}.path`
  if (urlPath === '//') return [...errors, invalid(at, urlPath, 'segment[0] may not be empty')]
  if (!urlPath.startsWith('/')) errors.push(invalid(at, urlPath, "must start with a '/'"))
  for (const [index, segment] of urlPath.slice(1).replace(/\/$/, '').split('/').entries())
    if (segment === '') errors.push(invalid(at, urlPath, `segment[${index}] may not be empty`))
    else for (const message of isDns1123Subdomain(segment)) errors.push(invalid(at, urlPath, `segment[${index}]: ${message}`))
  return errors
}
