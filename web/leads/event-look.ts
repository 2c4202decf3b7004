import {
  CircleX,
  Eye,
  FileCheck,
  Footprints,
  type LucideIcon,
  MessageSquare,
  MousePointerClick,
  Phone,
  RotateCcw,
  Zap,
} from 'lucide-react'
import type { Tone } from '#web/ui/Badge.tsx'

interface EventLook {
  icon: LucideIcon
  tone: Tone
}

/** The first keyword in the type decides; the type's text never becomes a class name. */
const looks: readonly [keywords: RegExp, look: EventLook][] = [
  [/reject|rechaz/, { icon: CircleX, tone: 'danger' }],
  [/apply|submit|aprobad|entregad/, { icon: FileCheck, tone: 'success' }],
  [/reactiv/, { icon: RotateCcw, tone: 'info' }],
  [/click/, { icon: MousePointerClick, tone: 'brand' }],
  [/sms|mail/, { icon: MessageSquare, tone: 'info' }],
  [/phone|call/, { icon: Phone, tone: 'info' }],
  [/view|landing/, { icon: Eye, tone: 'neutral' }],
  [/step/, { icon: Footprints, tone: 'brand' }],
]

export const lookOf = (eventType: string): EventLook =>
  looks.find(([keywords]) => keywords.test(eventType.toLowerCase()))?.[1] ?? { icon: Zap, tone: 'neutral' }
