// Kubernetes: pkg/apis/resource/v1.SetDefaults_ExactDeviceRequest, SetDefaults_DeviceSubRequest
// Kubernetes: k8s.io/api/resource/v1.DeviceToleration
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { ResourceClaim, Writable } from '../../../types.ts'

type ClaimSpec = NonNullable<Writable<ResourceClaim>['spec']>
interface Request {
  allocationMode?: string
  count?: number
  tolerations?: { operator?: string }[] | null
}

export function defaultResourceClaim({ spec }: Writable<ResourceClaim>): void {
  if (spec) defaultClaimSpec(spec)
}

export function defaultClaimSpec({ devices }: ClaimSpec): void {
  for (const request of devices?.requests ?? []) {
    if (request.exactly) request.exactly = withCount('resource.ExactDeviceRequest', request.exactly)
    if (request.firstAvailable) request.firstAvailable = request.firstAvailable.map((one) => withCount('resource.DeviceSubRequest', one))
  }
}

function withCount<T extends Request>(type: string, request: T): T {
  const allocationMode = request.allocationMode || 'ExactCount'
  const count = allocationMode === 'ExactCount' ? request.count || 1 : request.count
  const tolerations = request.tolerations?.map((one) =>
    one.operator ? one : fill('resource.DeviceToleration', one, { operator: 'Equal' }),
  )
  return replaceFields<Request>(type, request, { allocationMode, count, ...(tolerations && { tolerations }) }) as T
}
