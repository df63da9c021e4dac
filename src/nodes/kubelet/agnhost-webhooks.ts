// The webhooks of agnhost, the test image of Kubernetes: `agnhost webhook` reviews admissions, `agnhost crd-conversion-webhook` converts.
// Ours: what the test image agnhost does, another program.
import type { Container, KubernetesObject, Pod } from '../../api/types.ts'
import { trimLastSlashes } from '../../base/url.ts'
import { flagValue } from '../shell/flag-value.ts'
import { type HttpResponse, notFound, servedBy } from './http-responses.ts'
import { wordsOf } from './program.ts'

type Json = Readonly<Record<string, unknown>>

interface Review {
  readonly operation?: string
  readonly resource?: Json
  readonly subResource?: string
  readonly name?: string
  readonly object?: KubernetesObject | null
  readonly oldObject?: KubernetesObject | null
}

interface Verdict {
  readonly allowed: boolean
  readonly status?: Json
  readonly patch?: readonly object[]
}

/** `afterMs`: when the response comes; Infinity for one that never comes. */
interface WebhookResponse extends HttpResponse {
  readonly afterMs: number
}

const allow: Verdict = { allowed: true }
const deny = (status: Json): Verdict => ({ allowed: false, status })

/** The response to a POST; undefined for a container that runs another program. */
export function webhookResponse(container: Container, path: string, body: string): WebhookResponse | undefined {
  const served = servedBy(container)
  if (served !== 'webhook' && served !== 'crd-conversion-webhook') return undefined
  const respond = served === 'webhook' ? review : convert
  return respond(container, path.split('?')[0]!, body) ?? { ...notFound, afterMs: 0 }
}

function review(container: Container, path: string, body: string): WebhookResponse | undefined {
  const judge = judges[path]
  if (judge === undefined) return undefined
  const { apiVersion, request } = JSON.parse(body) as { apiVersion: string; request: Review & { uid: string } }
  const { allowed, status, patch } = judge(request, container)
  const response = {
    uid: request.uid,
    allowed,
    ...(status !== undefined && { status: { metadata: {}, ...status } }),
    ...(patch !== undefined && { patch: Buffer.from(JSON.stringify(patch)).toString('base64'), patchType: 'JSONPatch' }),
  }
  const afterMs = path === '/always-allow-delay-5s' ? 5000 : isStuck(path, request) ? Number.POSITIVE_INFINITY : 0
  return { code: 200, body: JSON.stringify({ kind: 'AdmissionReview', apiVersion, response }), afterMs }
}

const isStuck = (path: string, { object }: Review) => path === '/pods' && object?.metadata?.labels?.['webhook-e2e-test'] === 'wait-forever'

const judges: Readonly<Record<string, (review: Review, container: Container) => Verdict>> = {
  '/always-allow-delay-5s': () => ({ allowed: true, status: { message: 'this webhook allows all requests' } }),
  '/always-deny': () => deny({ message: 'this webhook denies all requests' }),
  '/add-label'({ object }) {
    const labels = object?.metadata?.labels ?? {}
    if (labels['added-label'] === 'yes') return allow
    const isFirst = Object.keys(labels).length === 0
    const path = isFirst ? '/metadata/labels' : '/metadata/labels/added-label'
    return { allowed: true, patch: [{ op: 'add', path, value: isFirst ? { 'added-label': 'yes' } : 'yes' }] }
  },
  '/pods'({ object }) {
    const pod = object as Pod | null | undefined
    const found = [
      ...(pod?.metadata?.labels?.['webhook-e2e-test'] === 'webhook-disallow' ? ['the pod contains unwanted label;'] : []),
      ...(pod?.spec?.containers ?? [])
        .filter(({ name }) => name.includes('webhook-disallow'))
        .map(() => 'the pod contains unwanted container name;'),
    ]
    return found.length === 0 ? allow : deny({ message: found.join(' ') })
  },
  '/pods/attach'({ name, object }) {
    const { stdin, container } = (object ?? {}) as { stdin?: boolean; container?: string }
    const isRefused = name === 'to-be-attached-pod' && stdin === true && container === 'container1'
    return isRefused ? deny({ message: "attaching to pod 'to-be-attached-pod' is not allowed" }) : allow
  },
  '/mutating-pods'({ object }) {
    const { metadata, spec } = object as Pod
    const isDone = spec?.initContainers?.some(({ name }) => name === 'webhook-added-init-container')
    if (metadata?.name !== 'webhook-to-be-mutated' || isDone) return allow
    const added = { image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} }
    return { allowed: true, patch: [{ op: 'add', path: '/spec/initContainers', value: [added] }] }
  },
  '/mutating-pods-sidecar'({ object }, container) {
    const image = flagValue(wordsOf(container), 'sidecar-image')
    if (image === undefined) return deny({ status: 'Failure', message: 'No image specified by the sidecar-image parameter', code: 500 })
    if ((object as Pod).spec?.containers.some(({ name }) => name === 'webhook-added-sidecar')) return allow
    return {
      allowed: true,
      patch: [{ op: 'add', path: '/spec/containers/-', value: { image, name: 'webhook-added-sidecar', resources: {} } }],
    }
  },
  '/configmaps': (request) => judgeData(request, 'the configmap contains unwanted key and value', 'the configmap'),
  '/mutating-configmaps': mutateData,
  '/custom-resource': (request) => judgeData(request, 'the custom resource contains unwanted data', 'the custom resource'),
  '/mutating-custom-resource': mutateData,
  '/crd': ({ object }) =>
    object?.metadata?.labels?.['webhook-e2e-test'] === 'webhook-disallow' ? deny({ message: 'the crd contains unwanted label' }) : allow,
}

const dataOf = (object: KubernetesObject | null | undefined) => ((object as { data?: Json } | null | undefined)?.data ?? {}) as Json

function judgeData({ operation, object, oldObject }: Review, reason: string, what: string): Verdict {
  const value = dataOf(operation === 'DELETE' ? oldObject : object)['webhook-e2e-test']
  if (value === 'webhook-disallow' && (operation === 'CREATE' || operation === 'UPDATE')) return deny({ reason })
  if (value === 'webhook-nondeletable' && operation === 'DELETE')
    return deny({ reason: `${what} cannot be deleted because it contains unwanted key and value` })
  return allow
}

function mutateData({ object }: Review): Verdict {
  const data = dataOf(object)
  const stage = data['mutation-stage-1'] === 'yes' ? 2 : data['mutation-start'] === 'yes' ? 1 : undefined
  return stage === undefined ? allow : { allowed: true, patch: [{ op: 'add', path: `/data/mutation-stage-${stage}`, value: 'yes' }] }
}

interface ConversionReview {
  readonly kind: string
  readonly apiVersion: string
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly KubernetesObject[] }
}

function convert(_: Container, path: string, body: string): WebhookResponse | undefined {
  if (path !== '/crdconvert') return undefined
  const { kind, apiVersion, request } = JSON.parse(body) as ConversionReview
  const converted = request.objects.map((object) => convertExample(object as never, request.desiredAPIVersion))
  const failure = converted.find((one) => typeof one === 'string')
  const result = failure === undefined ? { status: 'Success' } : { status: 'Failure', message: failure }
  const response = {
    uid: request.uid,
    ...(failure === undefined && { convertedObjects: converted }),
    result: { metadata: {}, ...result },
  }
  const shown = { kind, apiVersion, request: { uid: '', desiredAPIVersion: '', objects: null }, response }
  return { code: 200, body: JSON.stringify(shown), afterMs: 0 }
}

const versions = ['stable.example.com/v1', 'stable.example.com/v2']

/** The converted object, or why it cannot be converted. */
function convertExample(object: KubernetesObject & Json, toVersion: string): object | string {
  const { apiVersion = '' } = object
  if (toVersion === apiVersion) return `conversion from a version to itself should not call the webhook: ${toVersion}`
  const unknown = [apiVersion, toVersion].find((one) => !versions.includes(one))
  if (unknown !== undefined) return `unexpected conversion version ${JSON.stringify(unknown)}`
  const { hostPort, host, port, ...rest } = object
  const shown = { ...rest, apiVersion: toVersion }
  if (toVersion === versions[0]) {
    return host === undefined && port === undefined ? shown : { ...shown, hostPort: `${host ?? ''}:${port ?? ''}` }
  }
  if (hostPort === undefined) return shown
  const parts = String(hostPort).split(':')
  return parts.length === 2 ? { ...shown, host: parts[0], port: parts[1] } : `invalid hostPort value \`${hostPort}\``
}

/** The PEM of the server's certificate, from the Secret that is mounted at the path in its arguments. */
export function servedCertificate(
  { spec }: Pod,
  container: Container,
  readSecret: (name: string) => Readonly<Record<string, string>> | undefined,
): string | undefined {
  const path = flagValue(wordsOf(container), 'tls-cert-file')
  if (path === undefined) return undefined
  const mount = container.volumeMounts?.find(({ mountPath }) => path.startsWith(`${trimLastSlashes(mountPath)}/`))
  const secret = spec?.volumes?.find(({ name }) => name === mount?.name)?.secret
  const key = path.slice(path.lastIndexOf('/') + 1)
  return readSecret(secret?.secretName ?? '')?.[key]
}
