/**
 * Phrases of prompt injection, by which a text tries to give a model orders. The list catches only copied attacks: an
 * attacker who knows it can avoid it. Use it in addition to marking content as untrusted, and to permissions that do
 * not depend on content.
 */
export const INJECTION_PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|earlier|preceding|foregoing)\s+(?:instructions?|prompts?|messages?|rules?|directions?|context)\b/gi,
  /\byou\s+are\s+now\s+(?:a|an|the|in|no\s+longer)\b/gi,
  /\b(?:new|updated|revised)\s+(?:system\s+)?(?:instructions?|prompt|rules)\s*:/gi,
  /^\s*(?:#{1,6}\s*)?(?:system|assistant|developer)\s*:\s/gim,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>/gi,
  /\[\/?INST\]|<<\/?SYS>>/g,
  /\b(?:reveal|print|repeat|show|output)\s+(?:me\s+)?(?:your|the)\s+(?:system|hidden|initial)\s+(?:prompt|instructions?)\b/gi,
  /\bdo\s+not\s+(?:tell|inform|mention\s+(?:this|it)\s+to)\s+the\s+user\b/gi,
]
