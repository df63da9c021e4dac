// Probes and lifecycle hooks.
// Kubernetes: pkg/apis/core/validation.validateProbe, validateLivenessProbe, validateReadinessProbe, validateStartupProbe
// Kubernetes: pkg/apis/core/validation.validateHandler, validateLifecycle, validateSleepAction, validateStopSignal
import { type At, type FieldError, forbidden, invalid, required } from '../../../../machinery/field-error.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import { isHttpHeaderName, notNegativeMessage } from '../../../../machinery/validation/names.ts'
import type { Container, PodSpec, Probe } from '../../../../types.ts'
import { addProblems } from './names.ts'
import { checkPortNumberOrName } from './ports.ts'

type Lifecycle = NonNullable<Container['lifecycle']>
type LifecycleHandler = NonNullable<Lifecycle['postStart']>
type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<LifecycleHandler, 'sleep'>
type HttpGet = NonNullable<Probe['httpGet']>

export function checkProbes(errors: FieldError[], container: Container, at: At, spec: PodSpec): void {
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[field]
    if (!probe) continue
    checkProbe(errors, probe, () => `${at()}.${field}`, spec)
    const { terminationGracePeriodSeconds: seconds, successThreshold = 0 } = probe
    if (field !== 'readinessProbe') {
      if (successThreshold !== 1) errors.push(invalid(`${at()}.${field}.successThreshold`, successThreshold, 'must be 1'))
    } else if (seconds !== undefined && seconds !== null)
      errors.push(invalid(`${at()}.${field}.terminationGracePeriodSeconds`, seconds, 'must not be set for readinessProbes'))
  }
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const

function checkProbe(errors: FieldError[], probe: Probe, at: At, spec: PodSpec): void {
  checkHandler(errors, probe, at, spec)
  for (const field of counts) {
    const value = probe[field] ?? 0
    if (value < 0) errors.push(invalid(`${at()}.${field}`, value, notNegativeMessage))
  }
  const seconds = probe.terminationGracePeriodSeconds
  if (seconds !== undefined && seconds !== null && seconds <= 0)
    errors.push(invalid(`${at()}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0'))
}

function checkHandler(errors: FieldError[], handler: Handler, at: At, spec: PodSpec): void {
  let count = 0
  const isFirst = (field: string) => {
    if (count++ === 0) return true
    errors.push(forbidden(`${at()}.${field}`, 'may not specify more than 1 handler type'))
    return false
  }
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  if (exec && isFirst('exec') && !exec.command?.length) errors.push(required(`${at()}.exec.command`, ''))
  if (httpGet && isFirst('httpGet')) checkHttpGet(errors, httpGet, () => `${at()}.httpGet`)
  if (tcpSocket && isFirst('tcpSocket')) checkPortNumberOrName(errors, tcpSocket.port, () => `${at()}.tcpSocket.port`)
  if (grpc && isFirst('grpc')) checkPortNumberOrName(errors, grpc.port, () => `${at()}.grpc.port`)
  if (sleep && isFirst('sleep')) {
    const seconds = sleep.seconds ?? 0
    const most = spec.terminationGracePeriodSeconds
    // Without a grace period the pod is refused for that alone.
    if (most !== undefined && most !== null && (seconds < 0 || seconds > most))
      errors.push(invalid(`${at()}.sleep`, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${most})`))
  }
  if (count === 0) errors.push(required(at(), 'must specify a handler type'))
}

function checkHttpGet(errors: FieldError[], { path, port, scheme = '', httpHeaders }: HttpGet, at: At): void {
  if (!path) errors.push(required(`${at()}.path`, ''))
  checkPortNumberOrName(errors, port, () => `${at()}.port`)
  addUnsupported(errors, scheme, 'core.HTTPGetAction.scheme', () => `${at()}.scheme`)
  if (httpHeaders) for (const { name = '' } of httpHeaders) addProblems(errors, isHttpHeaderName(name), name, () => `${at()}.httpHeaders`)
}

export function checkLifecycle(errors: FieldError[], { postStart, preStop, stopSignal }: Lifecycle, at: At, spec: PodSpec): void {
  if (postStart) checkHandler(errors, postStart, () => `${at()}.postStart`, spec)
  if (preStop) checkHandler(errors, preStop, () => `${at()}.preStop`, spec)
  if (stopSignal === undefined || stopSignal === null) return
  if (!spec.os) errors.push(forbidden(`${at()}.stopSignal`, 'may not be set for containers with empty `spec.os.name`'))
  else {
    const signals = spec.os.name === 'windows' ? windowsSignals : spec.os.name === 'linux' ? 'core.Lifecycle.stopSignal' : undefined
    if (signals) addUnsupported(errors, stopSignal, signals, () => `${at()}.stopSignal`)
  }
}

const windowsSignals = ['SIGKILL', 'SIGTERM']
