import { Outlet } from '@tanstack/react-router';
import { usePlace } from '../data/place.ts';
import { NotFound } from './route-states.tsx';

/** Shows the pages of an organization only to its members. */
export function OrganizationGate() {
  return usePlace().organization ? <Outlet /> : <NotFound />;
}

export function ProjectGate() {
  return usePlace().project ? <Outlet /> : <NotFound />;
}
