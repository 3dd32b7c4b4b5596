import { PURCHASE_STATUSES, type PurchaseStatus } from '../../../libs/domain/purchases/record.js';
import { Id, ListOf, OneOf, Text, Timestamp, Url } from '../platform/requests/fields.js';
import type { ListOptions } from '../platform/requests/rules.js';
import { text } from '../platform/requests/rules.js';

const RelatedResources = (options?: ListOptions): PropertyDecorator =>
  ListOf(text({ min: 1, max: 256 }), {
    max: 1000,
    distinct: true,
    description: 'Ids of any kind; a superswap replaces user ids among them',
    ...options,
  });

export class CreatePurchaseBody {
  @Id('PurchaseID_') id?: string;
  @Text({ max: 1024 }) template_id?: string;
  @Text({ min: 1, max: 256, required: true, example: 'Hosting, one year' }) title!: string;
  @Text({ max: 1024 }) subtitle?: string;
  @Text({ max: 1024 }) description?: string;
  @Text({ max: 256 }) vendor_name?: string;
  @Id('UserID_', { description: 'The vendor may read the purchase and update its progress' })
  vendor_id?: string;
  @OneOf(PURCHASE_STATUSES, { description: 'Default: REQUESTED' }) status?: PurchaseStatus;
  @Text({ max: 1024 }) pricing?: string;
  @Url({ max: 2048 }) about_url?: string;
  @Url({ max: 2048 }) billing_url?: string;
  @Url({ max: 2048 }) support_url?: string;
  @Url({ max: 2048 }) delivery_url?: string;
  @Url({ max: 2048 }) verification_url?: string;
  @Url({ max: 2048 }) auth_installation_url?: string;
  @Timestamp({ expiry: true, description: 'ms; -1 = none' }) next_delivery_date?: number;
  @Text({ max: 1024 }) vendor_notes?: string;
  @Text({ max: 1024 }) notes?: string;
  @Text({ max: 1024 }) tracer?: string;
  @RelatedResources() related_resources?: string[];
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdatePurchaseBody {
  @Id('PurchaseID_', { required: true }) id!: string;
  @Text({ max: 1024, null: 'clears' }) template_id?: string | null;
  @Text({ min: 1, max: 256, null: 'keeps' }) title?: string;
  @Text({ max: 1024, null: 'clears' }) subtitle?: string | null;
  @Text({ max: 1024, null: 'clears' }) description?: string | null;
  @Text({ max: 256, null: 'clears' }) vendor_name?: string | null;
  @Id('UserID_', { null: 'clears' }) vendor_id?: string | null;
  @OneOf(PURCHASE_STATUSES, { null: 'keeps' }) status?: PurchaseStatus;
  @Text({ max: 1024, null: 'clears' }) pricing?: string | null;
  @Url({ max: 2048, null: 'clears' }) about_url?: string | null;
  @Url({ max: 2048, null: 'clears' }) billing_url?: string | null;
  @Url({ max: 2048, null: 'clears' }) support_url?: string | null;
  @Url({ max: 2048, null: 'clears' }) delivery_url?: string | null;
  @Url({ max: 2048, null: 'clears' }) verification_url?: string | null;
  @Url({ max: 2048, null: 'clears' }) auth_installation_url?: string | null;
  @Timestamp({ expiry: true, null: 'keeps' }) next_delivery_date?: number;
  @Text({ max: 1024, null: 'clears' }) vendor_notes?: string | null;
  @Text({ max: 1024, null: 'clears' }) notes?: string | null;
  @Text({ max: 1024, null: 'clears' }) tracer?: string | null;
  @RelatedResources({ null: 'keeps' }) related_resources?: string[];
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeletePurchaseBody {
  @Id('PurchaseID_', { required: true }) id!: string;
}
