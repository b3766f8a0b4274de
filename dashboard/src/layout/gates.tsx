import { Outlet } from '@tanstack/react-router';
import { usePlace } from '../data/place.ts';
import { NotFound } from './route-states.tsx';

/** Pages of an organization, for its members. */
export function OrganizationGate() {
  return usePlace().organization ? <Outlet /> : <NotFound />;
}

export function ProjectGate() {
  return usePlace().project ? <Outlet /> : <NotFound />;
}
