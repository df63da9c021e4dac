// Signs approved CertificateSigningRequests of Kubernetes' own signers.
// Kubernetes: pkg/controller/certificates/signer.signer.handle, signer.sign, signer.duration

import { parseSigningRequest } from '../../api/kinds/certificates/certificate-signing-request/signing-request.ts'
import { certificateSigningRequests } from '../../api/kinds.ts'
import { isConditionTrue } from '../../api/machinery/conditions.ts'
import type { CertificateSigningRequest } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { signerRules } from './plan/signer-rules.ts'

/** A certificate in PEM. Throws an Error for a request that cannot be signed. */
export type SignCertificate = (request: {
  readonly request: string
  readonly usages: readonly string[]
  readonly validMs: number
}) => string

const yearMs = 365 * 86_400_000

/** Whether the request waits for its certificate. */
function isSignable({ spec, status }: CertificateSigningRequest): boolean {
  const has = (type: string) => isConditionTrue(status?.conditions, type)
  return Object.hasOwn(signerRules, spec.signerName) && has('Approved') && !has('Failed') && !status?.certificate
}

export const certificateSigning: ControllerDefinition = {
  name: 'certificatesigningrequest-signing-controller',
  isWanted: ({ signCertificate }) => signCertificate !== undefined,
  start: (parts) => startCertificateSigning({ ...parts, sign: parts.signCertificate! }),
}

function startCertificateSigning(parts: CommonParts & { readonly sign: SignCertificate }): RunningController {
  return buildController(parts, {
    name: 'certificate',
    for: certificateSigningRequests,
    delayOf: (request) => (isSignable(request) ? 0 : undefined),
    workers: 1,
    async reconcile(request, { client }) {
      if (!isSignable(request)) return
      const { signerName, request: encoded, usages = [], expirationSeconds } = request.spec
      const validMs = expirationSeconds === undefined ? yearMs : Math.min(expirationSeconds * 1000, yearMs)
      const pem = atob(encoded)
      let status: CertificateSigningRequest['status']
      try {
        const refusal = signerRules[signerName]!({ request: parseSigningRequest(pem), usages })
        if (refusal !== undefined) throw new Error(refusal)
        status = { ...request.status, certificate: btoa(parts.sign({ request: pem, usages, validMs })) }
      } catch (error) {
        const now = formatTime(parts.clock.now())
        const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: (error as Error).message }
        status = {
          ...request.status,
          conditions: [...(request.status?.conditions ?? []), { ...failed, lastUpdateTime: now, lastTransitionTime: now }],
        }
      }
      await client.updateStatus(certificateSigningRequests, { ...request, status })
    },
  })
}
